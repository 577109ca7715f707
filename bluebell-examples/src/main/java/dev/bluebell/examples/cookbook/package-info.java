/**
 * The programs of docs/cookbook.md, each of one idea. Both ends are in one program, so that it is
 * short.
 */
@NullMarked
package dev.bluebell.examples.cookbook;

import org.jspecify.annotations.NullMarked;
