"""The capacity model is arithmetic that anybody can follow."""

from __future__ import annotations

import pytest

from tests.bench.capacity_model import DAY, Cost, Costs, Habits, Machines, model
from tests.bench.capacity_page import LIMITS, read_costs

COSTS = Costs(
    idle=Cost(),
    message=Cost(commits=4, wal=8_000, stored=4_000, cpu={"postgres": 0.006, "workers": 0.05, "embedder": 0.03}),
    question=Cost(commits=10, cpu={"postgres": 0.006, "gateway": 0.02}),
    forget=Cost(commits=50, wal=20_000, cpu={"workers": 0.03}),
    vectors=0.8,
    piece=30,
    rewriting=100e6,
)


def test_a_few_people_need_one_of_each():
    needs = model(COSTS, 1_000)
    assert (needs.hosts, needs.postgres_primaries, needs.milvus_nodes) == (1, 1, 1)
    assert needs.messages_peak == pytest.approx(1_000 * 10 / DAY * 3)
    assert needs.stored_tb == pytest.approx(1_000 * 10 * 30.4 * 12 * 4_000 / 1e12)


def test_ten_times_the_people_need_ten_times_as_much_and_reach_the_same_limits():
    few, many = model(COSTS, 1_000_000), model(COSTS, 10_000_000)
    assert many.host_cores == pytest.approx(10 * few.host_cores)
    assert many.vectors == pytest.approx(10 * few.vectors)
    assert many.limits["purge locks"] == pytest.approx(few.limits["purge locks"])


def test_at_a_limit_its_need_is_one():
    at = model(COSTS, round(model(COSTS, 1_000_000).limits["reconciliation"]))
    assert at.reconcile_hours == pytest.approx(1, rel=0.01)
    at = model(COSTS, round(model(COSTS, 1_000_000).limits["purge locks"]))
    assert at.purge_seconds == pytest.approx(Machines().lock_seconds, rel=0.01)


def test_every_limit_is_named_for_few_people_too():
    few, many = model(COSTS, 100).limits, model(COSTS, 10_000_000).limits
    assert few.keys() == many.keys() == LIMITS.keys()
    assert few["connections"] == pytest.approx(many["connections"])


def test_who_says_more_needs_more():
    assert model(COSTS, 1_000, Habits(messages_a_day=40)).host_cores > 3 * model(COSTS, 1_000).host_cores


def test_the_page_says_what_it_was_made_from():
    costs = read_costs()
    assert costs.message.cpu["embedder"] > 0
    assert costs.vectors > 0
