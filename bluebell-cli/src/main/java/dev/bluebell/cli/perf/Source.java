package dev.bluebell.cli.perf;

/**
 * The sending side of a flow.
 *
 * @param number of the flow among all, from 0
 * @param requester sends its requests
 * @param payload what messages contain
 */
record Source(PerfPlan plan, int number, Requester requester, Payload payload) {}
