/** The headers of RoCE packets, each defined once, and views, values and text of packets. */
@NullMarked
package dev.bluebell.roce.packet;

import org.jspecify.annotations.NullMarked;
