"""Metrics: counts, gauges and times, in the text form Prometheus reads."""

from __future__ import annotations

from collections.abc import Callable

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

HELP = {
    "frames": "Frames received on sockets.",
    "requests": "HTTP requests answered.",
    "refusals": "Commands and requests refused.",
    "lines": "Lines stored.",
    "mistakes": "Failures that are the server's own fault.",
    "bot_moves": "Moves made by bots.",
    "notices": "Notices sent.",
    "notices_held": "Notices kept until quiet hours are over.",
    "mails": "Mails a mail server took.",
    "mails_failed": "Mails no mail server took.",
    "notices_failed": "Notices that could not be delivered.",
}


class Metrics:
    """What a server counts."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(HELP, 0)
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self._times = [0] * (len(BUCKETS) + 1)
        self._total = 0.0

    def count(self, name: str, more: int = 1) -> None:
        """Count one more, or several; HELP has the names."""
        self.counts[name] += more

    def time(self, seconds: float) -> None:
        """A command took so long from its frame to its answer."""
        self._total += seconds
        for place, most in enumerate(BUCKETS):
            if seconds <= most:
                self._times[place] += 1
                return
        self._times[-1] += 1

    def gauge(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Something that is read when it is asked for."""
        self.gauges[name] = (meaning, read)

    def text(self) -> str:
        """Everything in the text format that Prometheus reads."""
        lines: list[str] = []
        for name, value in self.counts.items():
            lines += [f"# HELP elysian_{name}_total {HELP[name]}", f"# TYPE elysian_{name}_total counter"]
            lines.append(f"elysian_{name}_total {value}")
        for name, (meaning, read) in self.gauges.items():
            lines += [f"# HELP elysian_{name} {meaning}", f"# TYPE elysian_{name} gauge"]
            lines.append(f"elysian_{name} {read():g}")
        lines.append("# HELP elysian_command_seconds From a command's frame to its answer.")
        lines.append("# TYPE elysian_command_seconds histogram")
        running = 0
        for most, count in zip((*BUCKETS, "+Inf"), self._times, strict=True):
            running += count
            lines.append(f'elysian_command_seconds_bucket{{le="{most}"}} {running}')
        lines += [
            f"elysian_command_seconds_sum {self._total:.6f}",
            f"elysian_command_seconds_count {running}",
        ]
        return "\n".join(lines) + "\n"
