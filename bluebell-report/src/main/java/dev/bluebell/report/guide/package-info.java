/** What is known about failures: what a status means, what causes it, and what to look at. */
@NullMarked
package dev.bluebell.report.guide;

import org.jspecify.annotations.NullMarked;
