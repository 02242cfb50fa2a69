#!/usr/bin/python3
"""The lab's hands inside the guest: runs commands that come over a virtio port, one JSON object a line each way."""

import json
import os
import select
import subprocess
import time
from pathlib import Path

NAME = "lab.agent"


def run(command: str, timeout_s: float) -> dict[str, object]:
    try:
        done = subprocess.run(
            ["/bin/bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout_s
        )
    except subprocess.TimeoutExpired as late:
        return {"status": None, "output": (late.output or b"").decode("utf-8", "replace")}
    return {"status": done.returncode, "output": done.stdout.decode("utf-8", "replace")}


def find_port() -> str:
    """The kernel tells the name before udev makes a link of it."""
    while True:
        for name in Path("/sys/class/virtio-ports").glob("*/name"):
            if name.read_text().strip() == NAME:
                return f"/dev/{name.parent.name}"
        time.sleep(0.1)


def main() -> None:
    port = os.open(find_port(), os.O_RDWR)
    os.write(port, b'{"ready": true}\n')
    asked = b""
    while True:
        select.select([port], [], [])
        asked += os.read(port, 65_536)
        *lines, asked = asked.split(b"\n")
        for line in lines:
            question = json.loads(line)
            answer = run(question["command"], question["timeout_s"]) | {"id": question["id"]}
            os.write(port, json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main()
