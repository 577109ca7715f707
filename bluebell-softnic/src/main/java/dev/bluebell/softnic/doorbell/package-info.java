/** Doorbells: the UAR pages, and the queues that rang, or may have rung, on them. */
@NullMarked
package dev.bluebell.softnic.doorbell;

import org.jspecify.annotations.NullMarked;
