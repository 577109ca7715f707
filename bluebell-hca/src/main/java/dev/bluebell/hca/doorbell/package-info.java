/** Doorbell records and the registers of a UAR page. */
@NullMarked
package dev.bluebell.hca.doorbell;

import org.jspecify.annotations.NullMarked;
