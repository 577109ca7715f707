/** XRC domains and the queue pairs in them, which clients share. */
@NullMarked
package dev.bluebell.uverbs.xrc;

import org.jspecify.annotations.NullMarked;
