package dev.bluebell.cli.perf;

/** Two connected ends, each the peer of the other. */
record Connection(End left, End right) {}
