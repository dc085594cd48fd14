"""Launch lines, and what a process finds in its environment and its log folder under each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

# module, and the words after it and before the script
CASES = {
    "1.8.5": {
        "gpus": ("launch", ["--selected_gpus", "0,1", "--log_dir", "log"]),
        "machines": (
            "launch",
            [
                "--selected_gpus",
                "1,3",
                "--cluster_node_ips",
                "127.0.0.1",
                "--node_ip",
                "127.0.0.1",
                "--started_port",
                "6270",
                "--log_dir",
                "log",
            ],
        ),
        "servers": ("launch_ps", ["--server_num", "2", "--worker_num", "2", "--start_port", "6280", "--log_dir", "log"]),
        "endpoints": (
            "launch_ps",
            ["--endpoints", "127.0.0.1:6290,127.0.0.1:6291", "--server_num", "2", "--worker_num", "1", "--log_dir", "log"],
        ),
    },
    "2.6.2": {
        "processes": ("launch", ["--nproc_per_node", "2"]),
        "one": ("launch", []),
        "ips": ("launch", ["--nproc_per_node", "2", "--ips", "127.0.0.1", "--start_port", "6370", "--log_dir", "logs"]),
        "servers": ("launch", ["--server_num", "1", "--trainer_num", "2"]),
        "fleet": ("fleet.launch", ["--nproc_per_node", "2", "--backend", "gloo", "--http_port", "8765"]),
        "named": ("launch", ["--servers", "127.0.0.1:6380", "--trainers", "127.0.0.1:6381,127.0.0.1:6382"]),
    },
}
SCRIPT = """
import glob, json, os, sys, time
if os.environ.get("TRAINING_ROLE") == "TRAINER":  # servers are ended with the trainers: first let them speak
    count = len(os.environ["PADDLE_PSERVERS_IP_PORT_LIST"].split(","))
    while sum(os.path.getsize(name) > 0 for name in glob.glob("log/serverlog.*")) < count:
        time.sleep(0.01)
print(json.dumps({"words": sys.argv[1:], "environment": dict(os.environ)}))
"""
WORDS = ["--epochs", "2", "x y"]
_NAMES = re.compile(r"PADDLE_(?!COMPAT|GLOO|BACKUP|WITH_GLOO|LOG_DIR|LOCAL_DEVICE|WORLD_DEVICE)|TRAINING_|FLAGS_selected|POD_IP")


def told(folder: Path) -> dict[str, Any]:
    """What the script printed, by log file: words and Paddle's variables."""
    found: dict[str, Any] = {}
    for path in sorted(folder.glob("*/*log.?")):
        if not path.name.startswith("envlog"):
            content = json.loads(path.read_text())
            said = {name: value for name, value in sorted(content["environment"].items()) if _NAMES.match(name)}
            found[f"{path.parent.name}/{path.name}"] = {"words": content["words"], "environment": said}
    return found


def numbered(found: dict[str, Any]) -> dict[str, Any]:
    """The same with ports numbered by the order in which they come: which ones are free is chance."""
    ports: dict[str, str] = {}

    def number(match: Any) -> str:
        return ports.setdefault(match.group(), "port%d" % len(ports))

    return json.loads(re.sub(r"(?<=[.:]1:)\d+|(?<=\"PADDLE_PORT\": \")\d+", number, json.dumps(found)))
