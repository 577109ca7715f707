/** Services as programs of the language, each with what a host and a client need beside it. */
@NullMarked
package dev.bluebell.program.offload;

import org.jspecify.annotations.NullMarked;
