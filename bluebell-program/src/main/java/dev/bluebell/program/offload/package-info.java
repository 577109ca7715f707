/** Services as NIC programs, each with the code that a host and a client need. */
@NullMarked
package dev.bluebell.program.offload;

import org.jspecify.annotations.NullMarked;
