package dev.bluebell.cli.perf;

/** Two ends, each the peer of the other. */
record Connection(End left, End right) {}
