/** The headers of RoCE packets, each defined once, and packets as views, values and text. */
@NullMarked
package dev.bluebell.roce.packet;

import org.jspecify.annotations.NullMarked;
