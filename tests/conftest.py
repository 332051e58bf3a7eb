"""What several test files share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# The first example of a kernel's property compiles the kernel, and nothing here tests how long it takes.
settings.register_profile("redraft", deadline=None)
settings.load_profile("redraft")


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data beside the checkout; tests that need it skip where it is absent."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"needs the data in {folder}")
    return folder
