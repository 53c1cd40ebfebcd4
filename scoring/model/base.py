"""The one base of every domain value: frozen, closed to unknown fields, validated when built."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable domain value; two values with equal fields are equal."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
