/** A guide to failures: the meaning, causes and next step for each status. */
@NullMarked
package dev.bluebell.report.guide;

import org.jspecify.annotations.NullMarked;
