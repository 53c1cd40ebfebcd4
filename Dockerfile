# Steelyard for one container: what uv.lock names, installed by its hashes; no shell, compiler or package manager is needed
# to run it, and nothing below / is written but the state directory and /tmp.
FROM python:3.12.12-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 UV_PROJECT_ENVIRONMENT=/opt/steelyard UV_PYTHON_DOWNLOADS=never \
    UV_LINK_MODE=copy UV_COMPILE_BYTECODE=1 UV_NO_CACHE=1
RUN pip install --quiet uv==0.12.24
WORKDIR /src
COPY pyproject.toml uv.lock README.md LICENSE ./
COPY bot bot
COPY scoring scoring
COPY templates templates
COPY samples/llama2-70b-lora samples/llama2-70b-lora
RUN uv sync --quiet --frozen --no-dev --no-editable

FROM python:3.12.12-slim-bookworm
LABEL org.opencontainers.image.title="Steelyard" \
      org.opencontainers.image.description="Compares accelerator pilots and writes decision memos, as a GitHub App" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 steelyard \
    && useradd --uid 10001 --gid steelyard --no-create-home --home-dir /tmp --shell /usr/sbin/nologin steelyard \
    && install -d -m 0700 -o steelyard -g steelyard /var/lib/steelyard
COPY --from=build /opt/steelyard /opt/steelyard
ENV PATH=/opt/steelyard/bin:/usr/local/bin:/usr/bin:/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    STEELYARD_STATE_DIR=/var/lib/steelyard STEELYARD_HOST=0.0.0.0 STEELYARD_PORT=8080
USER 10001:10001
WORKDIR /tmp
VOLUME ["/var/lib/steelyard"]
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
ENTRYPOINT ["steelyard"]
CMD ["serve"]
