"""One set of settings: the cluster's, Compose's, Kubernetes' and the clients' agree."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Any

import yaml

REMOTE = Path("remote")


class Tagged(yaml.SafeLoader):
    """Reads BuildGrid's tags as part of the value."""


def _tagged(loader: yaml.SafeLoader, tag: str, node: yaml.Node) -> Any:
    assert isinstance(node, yaml.MappingNode)
    return {"!": tag, **loader.construct_mapping(node, deep=True)}


Tagged.add_multi_constructor("!", _tagged)


def buildgrid(text: str) -> Any:
    return yaml.load(text, Tagged)


def here() -> Any:
    """The cluster's own settings, with the addresses of a network of containers."""
    text = Template((REMOTE / "buildgrid.yml").read_text(encoding="utf-8")).substitute(
        port=8980,
        cas_port=8981,
        database="postgresql://buildgrid@postgres/buildgrid",
        worker_timeout=30,
        queue_timeout=1800,
    )
    settings = buildgrid(text.replace("http://127.0.0.1:", "http://casd:"))
    settings["server"][0]["address"] = "0.0.0.0:8980"
    return settings


def compose() -> Any:
    return yaml.safe_load((REMOTE / "compose.yaml").read_text(encoding="utf-8"))


def kubernetes() -> list[Any]:
    return list(yaml.safe_load_all((REMOTE / "kubernetes.yaml").read_text(encoding="utf-8")))


def test_buildgrid_has_one_set_of_settings() -> None:
    assert buildgrid(compose()["configs"]["buildgrid"]["content"]) == here()
    assert buildgrid(kubernetes()[0]["data"]["buildgrid.yml"]) == here()


def test_the_scheduler_goes_with_its_cache() -> None:
    """Wherever it runs: without casd it would keep builds waiting."""
    inside = "scheduler.py casd:8981 bgd server start "
    assert inside in compose()["services"]["buildgrid"]["command"][-1]
    containers = [
        container
        for resource in kubernetes()
        if resource["kind"] == "Deployment"
        for container in resource["spec"]["template"]["spec"]["containers"]
        if container["name"] == "buildgrid"
    ]
    assert [inside in " ".join(container["command"]) for container in containers] == [True]


def worker_commands() -> list[list[str]]:
    containers = [
        container
        for resource in kubernetes()
        if resource["kind"] == "Deployment"
        for container in resource["spec"]["template"]["spec"]["containers"]
    ]
    commands = [container["command"] for container in containers]
    return [
        compose()["services"]["worker"]["command"],
        *(command for command in commands if command[0] == "buildbox-worker"),
    ]


def test_workers_offer_what_builds_ask_for() -> None:
    rc = Path("config/remote.bazelrc").read_text(encoding="utf-8")
    asked = set(re.findall(r"--remote_default_exec_properties=(\S+)", rc))
    assert asked == {"OSFamily=linux", "pool=light"}
    offered = [
        {word.removeprefix("--platform=") for word in command if word.startswith("--platform=")}
        for command in worker_commands()
    ]
    assert len(offered) == 4
    assert sum(asked <= properties for properties in offered) == 2
    matched = {
        key
        for scheduler in here()["schedulers"]
        for key in scheduler["property-set"]["match-property-keys"]
    }
    assert {word.partition("=")[0] for word in asked} == matched


def test_kubernetes_services_have_their_pods() -> None:
    resources = kubernetes()
    pods = {
        resource["spec"]["template"]["metadata"]["labels"]["app"]
        for resource in resources
        if resource["kind"] in {"Deployment", "StatefulSet"}
    }
    services = {r["metadata"]["name"]: r["spec"] for r in resources if r["kind"] == "Service"}
    assert {spec["selector"]["app"] for spec in services.values()} <= pods
    called = {
        (host, int(port))
        for text in (str(resources), (REMOTE / "kubernetes.yaml").read_text(encoding="utf-8"))
        for host, port in re.findall(r"http://(\w+):(\d+)", text)
    }
    assert called == {("casd", 8981), ("buildgrid", 8980)}
    for host, port in called:
        assert services[host]["ports"] == [{"port": port}]
