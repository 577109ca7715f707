/** Queue pairs and their builders: what all services share, and RC, UC and UD. */
@NullMarked
package dev.bluebell.verbs.pair;

import org.jspecify.annotations.NullMarked;
