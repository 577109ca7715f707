package dev.bluebell.verbs.ring;

import org.jspecify.annotations.Nullable;

/**
 * The queues of one queue pair, as completions find them.
 *
 * @param qpn number of the queue pair, 24 bits
 * @param send its send queue
 * @param receive its receive queue; null without one
 */
public record WorkQueues(int qpn, SendRing send, @Nullable ReceiveRing receive) {}
