/** DevX: raw commands of clients, and the objects that they create. */
@NullMarked
package dev.bluebell.uverbs.devx;

import org.jspecify.annotations.NullMarked;
