/** The service by which the public package finds its implementations. */
@NullMarked
package dev.bluebell.connect.provider;

import org.jspecify.annotations.NullMarked;
