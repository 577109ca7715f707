/** The options of a device, as records, and its clock. */
@NullMarked
package dev.bluebell.softnic.option;

import org.jspecify.annotations.NullMarked;
