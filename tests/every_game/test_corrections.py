"""What every game must bear of corrections: whatever is set, the views show it and the rules go on, or it is refused."""

from companion.testing.test_corrections import *  # noqa: F403
