/**
 * The programs of docs/cookbook.md, one for each idea. To keep them short, both ends are in one
 * program.
 */
@NullMarked
package dev.bluebell.examples.cookbook;

import org.jspecify.annotations.NullMarked;
