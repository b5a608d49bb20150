"""Learned weights as decimal numbers: a heading line for each configuration, then its numbers; a line that begins with # is a comment."""


def read_decimals(text: str, heading: str, count: int) -> list[float]:
    """Return the numbers under a heading; headings begin with the same word. Raise ValueError unless there are as many as expected."""
    first_word = heading.partition(" ")[0]
    numbers: list[float] = []
    current = ""
    for line in text.splitlines():
        if line.startswith(first_word):
            current = line
        elif current == heading and not line.startswith("#"):
            numbers.extend(float(number) for number in line.split())
    if len(numbers) != count:
        raise ValueError(f"{len(numbers)} weights under {heading!r}: expected {count}")
    return numbers


def write_decimals(heading: str, comment: str, weights: list[float], columns: int) -> str:
    """Return the section of some weights: the heading, a comment, then that many numbers a line."""
    numbers = [f"{weight:.4f}" for weight in weights]
    lines = [" ".join(numbers[at : at + columns]) for at in range(0, len(numbers), columns)]
    return "\n".join([heading, f"# {comment}", *lines]) + "\n"
