package dev.bluebell.softnic.doorbell;

import dev.bluebell.softnic.queue.CompletionQueue;

/**
 * A completion queue that doorbells arm.
 *
 * @param page the one that they ring on
 */
record Armable(CompletionQueue queue, PageWatch page) {}
