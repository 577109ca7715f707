/**
 * The driver: RDMA on a {@link dev.bluebell.verbs.Device}, in the terms of the verbs.
 *
 * <p>Objects of the control path (device, domain, region, creation and state of queues) are
 * thread-safe. A queue's data path (posting, ringing, polling) belongs to one thread at a time: one
 * thread posts to a queue pair and one thread polls a completion queue, the same or another.
 */
@NullMarked
package dev.bluebell.verbs;

import org.jspecify.annotations.NullMarked;
