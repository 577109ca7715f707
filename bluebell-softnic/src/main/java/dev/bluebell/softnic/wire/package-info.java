/** Packets as bytes: RoCEv2 over UDP, and capture files. */
@NullMarked
package dev.bluebell.softnic.wire;

import org.jspecify.annotations.NullMarked;
