/**
 * Completion queue entries: their fields, and for the data path pure functions between field values
 * and the 8-byte words of the format.
 */
@NullMarked
package dev.bluebell.hca.cqe;

import org.jspecify.annotations.NullMarked;
