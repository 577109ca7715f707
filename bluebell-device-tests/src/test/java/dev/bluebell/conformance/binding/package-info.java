/** Binds the suite to the software ConnectX in each of its ways to run. */
@NullMarked
package dev.bluebell.conformance.binding;

import org.jspecify.annotations.NullMarked;
