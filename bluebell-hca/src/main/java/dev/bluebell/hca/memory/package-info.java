/** Raw memory, exported to Bluebell's own modules only. */
@NullMarked
package dev.bluebell.hca.memory;

import org.jspecify.annotations.NullMarked;
