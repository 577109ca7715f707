/** Queue pairs and their builders: the code that all services share, and RC, UC and UD. */
@NullMarked
package dev.bluebell.verbs.pair;

import org.jspecify.annotations.NullMarked;
