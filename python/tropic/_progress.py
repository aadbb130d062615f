# SPDX-License-Identifier: Apache-2.0
"""``progress=``: a callable, or True for a bar of tqdm."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable, Optional, TypeVar, Union, cast

import numpy as np

#: Receives the name of each step and the fraction done, or None where that is not known.
Report = Callable[[str, Optional[float]], object]
Progress = Union[Report, bool, None]

Function = TypeVar("Function", bound=Callable[..., Any])


class Bar:
    """A bar of tqdm, which shows the step and the part of it that is done."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(total=1.0, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}", leave=False)
        self._step = ""

    def __call__(self, step: str, done: Optional[float]) -> None:
        self._bar.update((0.0 if done is None else done) - self._bar.n)
        if step != self._step:
            self._bar.set_description_str(step)  # shown at once
            self._step = step

    def close(self) -> None:
        self._bar.close()


def _bar() -> Optional[Bar]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        warnings.warn("progress=True shows nothing: tqdm is not installed", stacklevel=3)
        return None
    return Bar(tqdm)


def shows_progress(function: Function) -> Function:
    """Gives a function that takes a callable as ``progress`` the values True, for a bar that lasts
    as long as the call, and False."""

    @functools.wraps(function)
    def call(*arguments: Any, progress: Progress = None, **options: Any) -> Any:
        if not isinstance(progress, (bool, np.bool_)):
            return function(*arguments, progress=progress, **options)
        bar = _bar() if progress else None
        try:
            return function(*arguments, progress=bar, **options)
        finally:
            if bar is not None:
                bar.close()

    return cast(Function, call)
