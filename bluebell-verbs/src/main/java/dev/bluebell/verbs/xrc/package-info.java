/** Extended reliable connections. */
@NullMarked
package dev.bluebell.verbs.xrc;

import org.jspecify.annotations.NullMarked;
