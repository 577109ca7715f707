package dev.bluebell.cli.tap;

import java.lang.foreign.MemorySegment;

/**
 * The memory of a queue pair or completion queue.
 *
 * @param ring its entries
 * @param record the doorbell record, 8 bytes
 * @param page number of the UAR page
 * @param registers address of the page
 */
public record QueuePlaces(MemorySegment ring, MemorySegment record, int page, long registers) {}
