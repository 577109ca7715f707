/** Capture files, pcap and pcapng. */
@NullMarked
package dev.bluebell.roce.capture;

import org.jspecify.annotations.NullMarked;
