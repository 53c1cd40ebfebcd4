"""The porting map: what ties a code base to CUDA, by reading it alone; bytes in, findings and hours out."""
