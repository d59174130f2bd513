"""Settings from the values that click has read: each field from the option of its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def read(kind: type[T], values: Mapping[str, Any], **others: Any) -> T:
    """Settings of this dataclass from the values of its fields' names; `others` are fields that no option gives."""
    names = [field.name for field in fields(kind) if field.init]  # type: ignore[arg-type]
    return kind(**{name: values[name] for name in names if name in values} | others)
