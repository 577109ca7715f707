/**
 * The services of {@link dev.bluebell.program.offload} without a program: by a client that reads
 * tables itself, and by a server's processor.
 */
@NullMarked
package dev.bluebell.lab.compare;

import org.jspecify.annotations.NullMarked;
