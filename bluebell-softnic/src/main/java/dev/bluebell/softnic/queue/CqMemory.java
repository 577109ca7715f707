package dev.bluebell.softnic.queue;

import dev.bluebell.softnic.translation.Umem;

/**
 * The memory of a completion queue.
 *
 * @param ring the umem that holds the entries
 * @param firstEntry address of the ring, inside {@code ring}
 * @param record the umem that holds the doorbell record
 * @param recordAddress address of the doorbell record, inside {@code record}
 */
public record CqMemory(Umem ring, long firstEntry, Umem record, long recordAddress) {}
