package dev.bluebell.cli.demo;

/** Two connected queue pairs of one device, with a memory region and a completion queue each. */
record Pair(Side left, Side right) {}
