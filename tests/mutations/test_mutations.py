from mutations.run import read_mutations


def test_every_mutation_can_be_planted_and_its_tests_exist() -> None:
    mutations = read_mutations()
    assert len(mutations) >= 60
    assert [problem for mutation in mutations for problem in mutation.problems()] == []
