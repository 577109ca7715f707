package dev.bluebell.verifier;

import java.util.Map;
import java.util.function.IntFunction;

/**
 * How a client rearms a program: after it has received the last message of a call, it writes
 * regions of the program, each from its start, and then sends its next message on the same
 * connection. Only one queue may send to the client, because messages of two queues arrive in any
 * order. The entries of the queue that waits for the client are posted before each call, so no key
 * may allow writes to its ring.
 *
 * @param writes bytes that the client writes before a call, from 1, by name of the region
 * @param launcher number of the queue that waits for the messages
 * @param launches entries of that queue for a call, from 1
 */
public record Rearm(
    IntFunction<Map<String, byte[]>> writes, int launcher, IntFunction<byte[]> launches) {}
