/** The device, its port and its GIDs, as clients see them, and the calls that query them. */
@NullMarked
package dev.bluebell.uverbs.device;

import org.jspecify.annotations.NullMarked;
