package dev.bluebell.cli.perf;

/**
 * The sending side of a flow.
 *
 * @param number number of the flow, from 0
 * @param requester sends its requests
 * @param payload contents of the messages
 */
record Source(PerfPlan plan, int number, Requester requester, Payload payload) {}
