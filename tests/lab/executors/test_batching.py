"""Batching: blocks are sent in batches of about a second, and batch sizes don't affect results."""

from sparring.lab.executors import BatchSizer, Block, SerialExecutor, run_blocks


def blocks(count: int, size: int = 10) -> list[Block]:
    return [(size * number, size) for number in range(count)]


def squares(power: int, block: Block) -> int:
    return int(block[0] ** power)


def test_batches_take_about_a_second() -> None:
    pace = BatchSizer()
    rows = pace.batches(blocks(12))
    assert [next(rows), next(rows)] == [[(0, 10)], [(10, 10)]]  # single blocks until their duration is known
    pace.record(0.5, 20)
    assert next(rows) == [(20, 10), (30, 10), (40, 10), (50, 10)]
    pace.record(4.0, 40)
    assert next(rows) == [(60, 10)]
    pace.record(0.001, 10)
    assert next(rows) == blocks(12)[7:]
    assert next(rows, None) is None


def test_batching_does_not_change_results_or_their_order() -> None:
    results = run_blocks(SerialExecutor(), squares, 2, blocks(200))
    assert list(results) == [first**2 for first, _ in blocks(200)]
    assert list(run_blocks(SerialExecutor(), squares, 2, [])) == []
