/** UAR pages: which queues rang, and which may have. */
@NullMarked
package dev.bluebell.softnic.doorbell;

import org.jspecify.annotations.NullMarked;
