package dev.bluebell.cli.tap;

import java.lang.foreign.MemorySegment;

/**
 * The memory of the parts of a queue pair.
 *
 * @param record the doorbell record, 8 bytes
 * @param page number of the UAR page
 * @param registers address of the page
 */
public record QueuePlaces(MemorySegment record, int page, long registers) {}
