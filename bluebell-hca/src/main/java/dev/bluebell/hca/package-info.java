/** A ConnectX device as a driver sees it. */
@NullMarked
package dev.bluebell.hca;

import org.jspecify.annotations.NullMarked;
