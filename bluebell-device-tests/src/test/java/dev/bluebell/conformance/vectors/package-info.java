/** Compares the driver with golden vectors: bytes that libmlx5 wrote and read. */
@NullMarked
package dev.bluebell.conformance.vectors;

import org.jspecify.annotations.NullMarked;
