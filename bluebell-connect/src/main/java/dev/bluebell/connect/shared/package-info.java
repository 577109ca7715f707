/** Parts that all kinds of connections have. */
@NullMarked
package dev.bluebell.connect.shared;

import org.jspecify.annotations.NullMarked;
