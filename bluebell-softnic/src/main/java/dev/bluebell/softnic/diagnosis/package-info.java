/** Flight recorder and explanations. */
@NullMarked
package dev.bluebell.softnic.diagnosis;

import org.jspecify.annotations.NullMarked;
