/** Reports of what commands did. */
@NullMarked
package dev.bluebell.cli.report;

import org.jspecify.annotations.NullMarked;
