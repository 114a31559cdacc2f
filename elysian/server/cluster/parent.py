"""Ends that cannot be missed: a child leaves with its parent, and a stop has a last moment.

Whatever hangs, and in whatever library, a process that is gone holds no lock, no file and no port.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading

PR_SET_PDEATHSIG = 1  # of Linux: the signal a process is sent when its parent dies


def end_at_the_latest(seconds: float) -> None:
    """End this process when it has not ended by itself by then; what is stored is stored."""
    last = threading.Timer(seconds, os._exit, (1,))
    last.daemon = True
    last.start()


def leave_with_parent(drain: float = 0.0) -> None:
    """In a child: leave when the parent does, however that ends.

    With a drain it is asked to stop, and ended when that takes longer. Without one it ends at once, even in
    the middle of a computation that lets no thread of ours run: where the system can see to it, it does.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave() -> None:
        assert parent is not None
        parent.join()
        if drain:
            end_at_the_latest(drain)
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            os._exit(0)

    threading.Thread(target=leave, daemon=True).start()
    if not drain and sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
